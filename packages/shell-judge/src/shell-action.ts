// One action of a command line: a simple command, a redirection, or a change of the shell itself.
export interface ShellAction {
  /** 'read' only if the table knows that this very argv reads. */
  effect: 'read' | 'once';
  /** The simple command as it will run, every literal word in its one spelling: `kubectl get pods -n shop`. */
  command: string;
  /** Known paths that it may touch; relative ones begin in the folder of the line's beginning. */
  paths?: string[];
  /** Known beginnings of further paths; '' for any. */
  unknownPaths?: string[];
  /** Known hosts that it reaches. */
  hosts?: string[];
  /** For people: the reason why it is not a read. */
  reason?: string;
  /** The judge's own decision, whatever a rule allows: the commands that it runs are unknown. */
  decision?: 'deny' | 'ask';
}
