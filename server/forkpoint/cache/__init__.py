"""What the prompt cache did for a conversation: which requests it served, where it failed, and why.

Rules and names as Claude Code has them (cache-rules.md, sections 3, 4, 7 and 8).
"""
