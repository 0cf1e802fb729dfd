// Plain JSON as a type: what may cross a process boundary or stand in workflow state.

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** JSON Schema as plain data; validated by Ajv in activities, sent to providers as it is. */
export type JsonSchema = JsonObject;
