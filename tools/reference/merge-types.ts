// Adds the descriptions of types to a schema that code checks by: the schema says what is allowed, the types say what it
// means. The fields of both must be the same.
import { isRecord } from '@holdfast/base/json';
import { propertiesOf, resolve, type Schema } from './schema-parts.ts';

type Place = { checked: Schema; typed: Schema; path: string };

/** The checked schema with the type's descriptions. Throws with every field that only one of them has. */
export function mergeTypes(checked: Schema, typed: Schema, exceptions: readonly string[] = []): Schema {
  const merge = new Merge(checked, typed, exceptions);
  const merged = { title: typed['title'], description: typed['description'], ...merge.root() };
  if (merge.faults.length === 0) return merged;
  const faults = merge.faults.map((fault) => `\n  ${fault}`).join('');
  throw new Error(`${String(typed['title'])}: the schema and the type differ:${faults}`);
}

class Merge {
  readonly faults: string[] = [];
  readonly #checkedRoot: Schema;
  readonly #typedRoot: Schema;
  readonly #exceptions: ReadonlySet<string>;
  readonly #defined = new Map<string, Schema>();

  constructor(checked: Schema, typed: Schema, exceptions: readonly string[]) {
    this.#checkedRoot = checked;
    this.#typedRoot = typed;
    this.#exceptions = new Set(exceptions);
  }

  root(): Schema {
    const { $defs: definitions, ...checked } = this.#checkedRoot;
    const merged = this.#merge({ checked, typed: this.#typedRoot, path: '' });
    if (!isRecord(definitions)) return merged;
    // definitions that no type leads to stay unchanged
    return { ...merged, $defs: { ...definitions, ...Object.fromEntries(this.#defined) } };
  }

  #merge({ checked, typed: named, path }: Place): Schema {
    const typed = resolve(named, this.#typedRoot);
    const reference = checked['$ref'];
    if (typeof reference === 'string') {
      this.#define(reference, typed);
      return checked;
    }
    if (this.#exceptions.has(path)) return checked;
    const merged = { ...checked };
    for (const many of ['anyOf', 'oneOf']) {
      const variants = checked[many];
      if (Array.isArray(variants)) {
        merged[many] = variants.map((variant: Schema) => this.#variant(variant, typed, path));
      }
    }
    if (isRecord(checked['properties'])) {
      merged['properties'] = this.#properties({ checked, typed, path }, checked['properties']);
    }
    for (const inner of ['items', 'additionalProperties']) {
      const [here, there] = [checked[inner], typed[inner]];
      if (isRecord(here) && isRecord(there) && Object.keys(here).length > 0) {
        merged[inner] = this.#merge({ checked: here, typed: there, path: `${path}[]` });
      }
    }
    return merged;
  }

  #define(reference: string, typed: Schema): void {
    const name = reference.replace('#/$defs/', '');
    if (this.#defined.has(name)) return;
    const checked = resolve({ $ref: reference }, this.#checkedRoot);
    this.#defined.set(name, checked);
    const description = typed['description'];
    const merged = this.#merge({ checked, typed, path: name });
    this.#defined.set(name, { ...merged, ...(typeof description === 'string' ? { description } : {}) });
  }

  #properties({ checked, typed, path }: Place, fields: Schema): Schema {
    const known = isRecord(typed['properties']) ? typed['properties'] : {};
    const both = new Set([...Object.keys(fields), ...Object.keys(known)]);
    const merged: Schema = {};
    for (const name of both) {
      const [here, there] = [fields[name], known[name]];
      const at = `${path}.${name}`;
      if (isRecord(here)) merged[name] = here;
      if (isRecord(here) && isRecord(there)) {
        const description = there['description'];
        const inside = this.#merge({ checked: here, typed: there, path: at });
        merged[name] = { ...inside, ...(typeof description === 'string' ? { description } : {}) };
        if (isRequired(checked, name) !== isRequired(typed, name)) {
          this.faults.push(
            `${at} is required in ${isRequired(checked, name) ? 'the schema' : 'the type'} only`,
          );
        }
      } else if (!this.#exceptions.has(at)) {
        this.faults.push(`${at} is in ${isRecord(here) ? 'the schema' : 'the type'} only`);
      }
    }
    return merged;
  }

  /** Chooses the variant of the type: the one with the same fixed words, and the most fields in common. */
  #variant(checked: Schema, typed: Schema, path: string): Schema {
    const target = resolve(checked, this.#checkedRoot);
    const variants = variantsOf(typed, this.#typedRoot).filter((variant) => isAlike(target, variant));
    const [best] = variants.toSorted((left, right) => common(target, right) - common(target, left));
    return best ? this.#merge({ checked, typed: best, path }) : checked;
  }
}

/** Nested unions are flattened. */
function variantsOf(typed: Schema, root: Schema): Schema[] {
  const { anyOf } = resolve(typed, root);
  if (!Array.isArray(anyOf)) return [resolve(typed, root)];
  return anyOf.flatMap((variant: Schema) => variantsOf(variant, root));
}

function isAlike(left: Schema, right: Schema): boolean {
  if (left['anyOf'] !== undefined || left['oneOf'] !== undefined) return right['anyOf'] !== undefined;
  if (left['type'] !== right['type']) return false;
  const [here, there] = [propertiesOf(left), propertiesOf(right)];
  return Object.entries(here).every(([name, { const: word }]) => {
    const other = there[name]?.['const'];
    return word === undefined || other === undefined || word === other;
  });
}

function common(left: Schema, right: Schema): number {
  const there = propertiesOf(right);
  return Object.keys(propertiesOf(left)).filter((name) => name in there).length;
}

function isRequired({ required }: Schema, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}
