// Decides whether a line of output only repeats the command that printed it, as `echo` does. Runs in Node, pure.

export function isWrittenIn(command: string, line: string): boolean {
  return withoutQuoting(command).includes(withoutQuoting(line));
}

function withoutQuoting(text: string): string {
  return text.replaceAll(/['"\\]/g, '').trim();
}
