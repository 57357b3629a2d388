"""Bytes on the wire between a controller and a dealing table: messages, frames and the reliable link. Pure."""
