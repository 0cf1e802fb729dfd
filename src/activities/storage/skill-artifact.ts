// The artifact that holds the text of a skill, by its digest. Pure.

export function skillArtifact(sha256: string): string {
  return `skill-${sha256}.md`;
}
