// Ctrl-Z. npm and npx start this program as their child, and a shell gets its terminal back only when they have stopped,
// too: the whole process group stops, and continues with fg. Runs where a process starts.

/** Long enough for the system to stop a process. */
const stoppingMs = 50;

/** A question that reads a line stops only this process; this makes it stop the group, in main. */
export function stopWithGroup(): void {
  process.on('SIGTSTP', stop);
}

function stop(): void {
  stopGroup(() => undefined);
}

/** `resume` is called after fg, or at once if no shell could stop this process, e.g. in a container. */
export function stopGroup(resume: () => void): void {
  const isRelayed = process.listeners('SIGTSTP').includes(stop);
  process.off('SIGTSTP', stop);
  process.kill(0, 'SIGTSTP');
  setTimeout(() => {
    if (isRelayed) stopWithGroup();
    resume();
  }, stoppingMs);
}
