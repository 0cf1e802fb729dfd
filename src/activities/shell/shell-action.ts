// One thing that a command line does: a simple command, a redirection, or what the shell itself changes.
export interface ShellAction {
  /** 'read' only where the table knows that this very argv reads. */
  effect: 'read' | 'once';
  /** The simple command as it will run, every literal word in its one spelling: `kubectl get pods -n shop`. */
  command: string;
  /** Paths that it may touch, as far as they are known; relative ones begin in the folder that the line begins in. */
  paths?: string[];
  /** What further paths begin with, as far as that is known; '' where they may be anywhere. */
  unknownPaths?: string[];
  /** Hosts that it reaches, as far as they are known. */
  hosts?: string[];
  /** For people: why it is not a read. */
  reason?: string;
  /** Where the judge itself decides, whatever a rule allows: what the command runs is not known. */
  decision?: 'deny' | 'ask';
}
