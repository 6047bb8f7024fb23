"""From events to lines of styled text; no Textual, no files but blobs."""
