"""From a model's reply to an answer: code, or a letter. Each answer names the rule it came by."""
