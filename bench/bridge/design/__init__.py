"""A design: nodes and members, materials, and its spellings as answer and as save."""
