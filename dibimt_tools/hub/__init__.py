"""The repositories on the Hugging Face Hub: built in a folder, published from there, installed from there."""
