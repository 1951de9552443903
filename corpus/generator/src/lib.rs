//! Generator of realistic HCL JSON.
