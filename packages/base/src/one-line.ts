/** On one line, so that a text cannot look like a heading or section: runs of blanks and line ends are one space. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
