"""The schema of the wire and what is written from it. Tools of `firmware_proto.generate`."""
