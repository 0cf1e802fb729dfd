// The part of the package pg that is used here. It has no types of its own, and only users of a memory in PostgreSQL
// install it, so the compiled code must not need it.
declare module 'pg' {
  type Row = Record<string, unknown>;
  export type Queryable = {
    query(text: string, values?: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }>;
  };
  export type PoolClient = Queryable & {
    release(error?: unknown): void;
    on(event: 'error', listener: (error: Error) => void): void;
  };
  export class Pool {
    constructor(options: {
      connectionString: string;
      max?: number;
      connectionTimeoutMillis?: number;
      query_timeout?: number;
      application_name?: string;
    });
    query: Queryable['query'];
    connect(): Promise<PoolClient>;
    end(): Promise<void>;
    on(event: 'error', listener: (error: Error) => void): this;
  }
  const pg: { Pool: typeof Pool };
  export default pg;
}
