type Defined<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

/** A copy without the fields that are undefined. */
export function defined<const Fields extends object>(fields: Fields): Defined<Fields> {
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) rest[name] = value;
  return rest as Defined<Fields>;
}
