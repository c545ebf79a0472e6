"""What people ask of designs and rollouts: never shown to a model, never a rule."""
