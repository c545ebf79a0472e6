"""Pictures of the embedded driver: the editor, rollout frames, contact sheets, animations."""

from bench.bridge.physics.draw.editor import draw_editor
from bench.bridge.physics.draw.frame import draw_frame, draw_record
from bench.bridge.physics.draw.sheet import contact_sheet, write_gif
from bench.bridge.physics.draw.tiles import draw_sheet

__all__ = ["contact_sheet", "draw_editor", "draw_frame", "draw_record", "draw_sheet", "write_gif"]
