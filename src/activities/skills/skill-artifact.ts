// Where the text of a skill is kept, by its digest. Pure.

export function skillArtifact(sha256: string): string {
  return `skill-${sha256}.md`;
}
