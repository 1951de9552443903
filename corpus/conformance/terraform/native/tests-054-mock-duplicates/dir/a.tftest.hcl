mock_provider "aws" {
  mock_resource "a" {
  }
  mock_resource "a" {
  }
  mock_resource "b" {
  }
  mock_data "a" {
  }
  mock_data "b" {
  }
  mock_data "b" {
  }
}
