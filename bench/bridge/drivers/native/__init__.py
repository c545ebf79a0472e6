"""The native driver: the real game, in its own window on a real desktop.

Nothing here imports pyautogui, mss or Xlib before a driver is opened.
"""
