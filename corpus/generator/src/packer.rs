//! The images of a service: Packer templates.

use std::io;

use crate::dir::Dir;
use crate::rng::Rng;
use crate::words::{INSTANCE_TYPES, ROLES};

/// Writes the six files of a template with one image for every four resources of the service.
pub(crate) fn images(
    service: &str,
    resources: u64,
    rng: &mut Rng,
    dir: &mut Dir<'_>,
) -> io::Result<()> {
    let images = 1 + resources / 4;
    let name = |image: u64| format!("{}-{image:03}", ROLES[image as usize % ROLES.len()]);
    dir.json("plugins.pkr.json", true, |w| {
        w.member("packer", |w| {
            w.member("required_plugins", |w| {
                w.member("amazon", |w| {
                    w.text("source", "github.com/hashicorp/amazon");
                    w.text("version", ">= 1.2.8");
                });
            });
            w.text("required_version", ">= 1.9.0");
        });
        Ok(())
    })?;
    dir.json("variables.pkr.json", true, |w| {
        w.member("variable", |w| {
            for (name, default) in [("release", "24.04"), ("service", service)] {
                w.member(name, |w| {
                    w.text("default", default);
                    w.text("type", "string");
                });
            }
        });
        Ok(())
    })?;
    dir.json("locals.pkr.json", true, |w| {
        w.member("locals", |w| {
            w.text("stamp", "${formatdate(\"YYYYMMDDhhmm\", timestamp())}");
            w.member("tags", |w| {
                w.text("Release", "${var.release}");
                w.text("Service", "${var.service}");
            });
        });
        Ok(())
    })?;
    dir.json("sources.pkr.json", true, |w| {
        w.member("source", |w| {
            w.member("amazon-ebs", |w| {
                for image in 0..images {
                    w.member(name(image), |w| {
                        w.text("ami_name", format_args!("{}-${{local.stamp}}", name(image)));
                        w.text("instance_type", rng.pick(&INSTANCE_TYPES));
                        w.block("launch_block_device_mappings", |w| {
                            w.plain("delete_on_termination", true);
                            w.text("device_name", "/dev/sda1");
                            w.plain("volume_size", 8 + rng.below(56));
                        });
                        w.block("source_ami_filter", |w| {
                            w.member("filters", |w| {
                                w.text("name", "ubuntu/images/*-${var.release}-*");
                                w.text("virtualization-type", "hvm");
                            });
                            w.plain("most_recent", true);
                            w.texts("owners", ["099720109477"]);
                        });
                        w.text("ssh_username", "ubuntu");
                        w.text("tags", "${local.tags}");
                    });
                }
            });
        });
        Ok(())
    })?;
    dir.json("build.pkr.json", true, |w| {
        w.key("build");
        w.array(|w| {
            for image in 0..images {
                w.object(|w| {
                    w.text("name", name(image));
                    w.key("provisioner");
                    w.array(|w| {
                        w.object(|w| {
                            w.member("shell", |w| {
                                w.texts(
                                    "inline",
                                    [
                                        "sudo apt-get update",
                                        "sudo apt-get install -y \"${var.service}\"",
                                        "printf 'built by %s\\n' '${build.ID}' | sudo tee /etc/image",
                                    ],
                                );
                                w.text("pause_before", "10s");
                            });
                        });
                        w.object(|w| {
                            w.member("file", |w| {
                                w.text("destination", "/tmp/motd");
                                w.text("source", "motd.txt");
                            });
                        });
                    });
                    w.texts("sources", [format_args!("source.amazon-ebs.{}", name(image))]);
                });
            }
        });
        Ok(())
    })?;
    dir.json("release.auto.pkrvars.json", true, |w| {
        w.text("release", "22.04");
        Ok(())
    })
}
