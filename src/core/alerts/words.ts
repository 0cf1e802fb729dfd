// Times in the words of alerts: in UTC, whatever the zone of the process, because workflows repeat them. Pure.

/** Such as `2026-11-28 03:12 UTC`. */
export function moment(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Such as `03:12:30 UTC`. */
export function clock(at: number): string {
  return `${new Date(at).toISOString().slice(11, 19)} UTC`;
}
