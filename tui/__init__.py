"""The interface: watch runs live, replay transcripts. Reads run folders, changes none."""
