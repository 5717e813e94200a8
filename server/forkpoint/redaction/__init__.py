"""Takes secrets, home folders and names out of what is to be shown to others.

Everything happens here, by rules: nothing is asked of a service, and what no rule knows stays.
"""
