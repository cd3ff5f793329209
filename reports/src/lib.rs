//! Reads the reports of other tools into our words.
