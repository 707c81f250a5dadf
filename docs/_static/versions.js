// The versions that stand beside this one; tools/publish_docs.py writes this file again for each of them.
const VERSIONS = [];
