"""The wire contract: what Forkpoint can be asked, and the shapes that go over the wire."""
