//! The Skyrim family against real plugins, generated ones and damaged ones.
#![cfg(feature = "skyrim")]

mod real;
