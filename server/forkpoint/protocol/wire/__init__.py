"""Domain values to wire values, by hand, one module per request."""
