// What a guard makes of a value from outside. Pure.

export type Parsed<T> = { ok: true; value: T } | { ok: false; code: string; reason: string };
