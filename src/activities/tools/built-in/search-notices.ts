// What grep and find could not look at, in words for the model: "nothing there" and "not looked" must differ. Pure.

/** Nothing where everything was looked at. */
export function notLookedAt(unreadable: number, missing: number): string[] {
  return [
    ...(unreadable > 0 ? [`${unreadable} files could not be read`] : []),
    ...(missing > 0 ? [`${missing} of the allowed folders cannot be reached`] : []),
  ];
}
