// The address of a PostgreSQL database, apart from its pool: types of the package must not need those of pg.
export type PostgresSettings = {
  /** `postgres://user@host:5432/database`; a `secret://name` in it is replaced at its use. */
  url: string;
  /** Replaces the password in the address: a reference, e.g. `secret://memory-password`. */
  password?: string;
};
