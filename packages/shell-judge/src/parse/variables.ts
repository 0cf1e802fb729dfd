// Variables that a command may set and still only read, because no program uses them.
import type { Finding } from '../command-spec.ts';
import type { Argument } from './argument.ts';

/** Lower-case names are a script's own. Programs take their settings from upper-case ones, and from few others. */
export function isHarmlessName(name: string): boolean {
  if (/^(?:LANG|LC_[A-Z]+|TZ|COLUMNS|LINES)$/.test(name)) return true;
  return (
    /^[a-z_][a-z0-9_]*$/.test(name) && !/(?:^|_)proxy$|^npm_|^pip_|^_$|^(?:histchars|auto_resume)$/.test(name)
  );
}

export function nameReason(name: string): string {
  return `${name} is a variable that programs or the shell may look at: a lower-case name is harmless`;
}

/** Programs find their account, region, cluster or server by these: a person is asked. */
export function choosesByName(name: string): { decision?: 'ask' } {
  return /^(?:AWS_|AZURE_|CLOUDSDK_|GOOGLE_|KUBECONFIG$|HELM_KUBE|DOCKER_(?:HOST|CONTEXT|CONFIG|CERT|TLS)|CONTAINER_HOST$)/.test(
    name,
  )
    ? { decision: 'ask' }
    : {};
}

/** Operands of export, declare and env: `name` or `name=value`. */
export function judgeVariableNames(operands: Argument[], command: string): Finding | undefined {
  for (const { value, prefix, many, text } of operands) {
    const name = /^([A-Za-z_]\w*)\+?=/.exec(value ?? prefix)?.[1] ?? value;
    if (name === undefined || many)
      return { reason: `${command} sets a variable whose name is not known: ${text}` };
    if (!isHarmlessName(name)) return { reason: nameReason(name), ...choosesByName(name) };
  }
  return undefined;
}
