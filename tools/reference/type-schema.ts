// JSON Schema of TypeScript types with their docstrings, as the compiler evaluates them: mapped and conditional types,
// Omit, tables from which types are inferred. Named types become $defs, except those that must stay inline.
import { join } from 'node:path';
import ts from 'typescript';
import { declarationOptions, originalOf } from './declarations.ts';
import type { Schema } from './schema-parts.ts';

type Definitions = Record<string, Schema>;

/** One program over the sources, from which schemas of several types are made. */
export class TypeSchemas {
  readonly program: ts.Program;
  readonly #root: string;
  readonly #checker: ts.TypeChecker;
  #definitions: Definitions = {};
  /** By the name of a definition, to notice two types of one name. */
  #named = new Map<string, ts.Symbol>();
  #opaque: ReadonlySet<string> = new Set();

  constructor(root: string, files: readonly string[]) {
    this.#root = root;
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root, declarationOptions);
    // found by their names alone, packages would be libraries, of which no declarations are made
    const packages = ts.sys.readDirectory(
      join(root, 'packages'),
      ['.ts'],
      ['**/node_modules'],
      ['*/src/**/*'],
    );
    this.program = ts.createProgram([...packages, ...files.map((file) => join(root, file))], options);
    this.#checker = this.program.getTypeChecker();
  }

  /** A schema document of the type that the file exports under this name. The fields of `opaque` types are left open. */
  schemaOf(file: string, name: string, opaque: readonly string[] = []): Schema {
    this.#definitions = {};
    this.#named = new Map();
    this.#opaque = new Set(opaque);
    const symbol = this.#exported(file, name);
    const schema = this.#inside(this.#checker.getDeclaredTypeOfSymbol(symbol));
    const description = textOf(symbol, this.#checker);
    const definitions = Object.entries(this.#definitions).toSorted(([left], [right]) =>
      left < right ? -1 : 1,
    );
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: name,
      ...(description === '' ? {} : { description }),
      ...schema,
      ...(definitions.length === 0 ? {} : { $defs: Object.fromEntries(definitions) }),
    };
  }

  #exported(file: string, name: string): ts.Symbol {
    const source = this.program.getSourceFile(join(this.#root, file));
    const module = source && this.#checker.getSymbolAtLocation(source);
    const symbol = module && this.#checker.getExportsOfModule(module).find((one) => one.name === name);
    if (!symbol) throw new Error(`${file} exports no ${name}: expected it there`);
    return originalOf(symbol, this.#checker);
  }

  /** A reference to a named type of the sources, which is defined once; any other schema inline. */
  #schema(type: ts.Type): Schema {
    const symbol = this.#nameOf(type);
    if (!symbol) return this.#inside(type);
    const { name } = symbol;
    const known = this.#named.get(name);
    if (known && known !== symbol)
      throw new Error(`Two types are called ${name}: expected one name for each`);
    if (!known) {
      this.#named.set(name, symbol);
      const description = textOf(symbol, this.#checker);
      // entered first: a type may contain itself
      this.#definitions[name] = {};
      const inside = this.#opaque.has(name) ? { type: 'object' } : this.#inside(type);
      this.#definitions[name] = { ...(description === '' ? {} : { description }), ...inside };
    }
    return { $ref: `#/$defs/${name}` };
  }

  /** Generic types have other contents at each place, and simple types are shorter than a reference. */
  #nameOf(type: ts.Type): ts.Symbol | undefined {
    const { aliasSymbol: symbol, aliasTypeArguments } = type;
    if (!symbol || aliasTypeArguments || isWord(type)) return undefined;
    const [declaration] = symbol.declarations ?? [];
    return declaration && this.#isOwn(declaration) ? symbol : undefined;
  }

  #isOwn(declaration: ts.Declaration): boolean {
    const file = declaration.getSourceFile().fileName;
    return ['src/', 'packages/'].some((folder) => file.startsWith(join(this.#root, folder)));
  }

  #inside(type: ts.Type): Schema {
    const checker = this.#checker;
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
    if (type.flags & ts.TypeFlags.String || type.flags & ts.TypeFlags.TemplateLiteral)
      return { type: 'string' };
    if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
    if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    if (type.isStringLiteral()) return { type: 'string', const: type.value };
    if (type.isNumberLiteral()) return { type: 'number', const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral)
      return { type: 'boolean', const: checker.typeToString(type) === 'true' };
    if (type.isUnion()) return this.#union(type);
    if (checker.isTupleType(type)) return this.#tuple(type as ts.TupleTypeReference);
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference);
      return { type: 'array', items: item ? this.#schema(item) : {} };
    }
    if (type.getCallSignatures().length > 0) return { description: 'a function' };
    return this.#object(type);
  }

  #union(type: ts.UnionType): Schema {
    const members = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
    if (members.length === 1 && members[0]) return this.#schema(members[0]);
    const texts = members.flatMap((member) => (member.isStringLiteral() ? [member.value] : []));
    const isFlag = members.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral).length === 2;
    const others = members.filter(
      (member) => !member.isStringLiteral() && !(isFlag && member.flags & ts.TypeFlags.BooleanLiteral),
    );
    const schemas = [
      ...(texts.length === 0 ? [] : [{ type: 'string', enum: texts }]),
      ...(isFlag ? [{ type: 'boolean' }] : []),
      ...others.map((member) => this.#schema(member)),
    ];
    const [only] = schemas;
    return schemas.length === 1 && only ? only : { anyOf: schemas };
  }

  #tuple(type: ts.TupleTypeReference): Schema {
    const { minLength, labeledElementDeclarations } = type.target;
    const items = this.#checker.getTypeArguments(type).map((item, index) => {
      const schema = this.#schema(item);
      const label = labeledElementDeclarations?.[index]?.name.getText();
      return label === undefined ? schema : { title: label, ...schema };
    });
    const size = { minItems: minLength, maxItems: items.length };
    return items.length === 0
      ? { type: 'array', maxItems: 0 }
      : { type: 'array', prefixItems: items, ...size };
  }

  #object(type: ts.Type): Schema {
    const checker = this.#checker;
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    for (const symbol of checker.getPropertiesOfType(type)) {
      const description = textOf(symbol, checker);
      const schema = this.#schema(checker.getTypeOfSymbol(symbol));
      properties[symbol.name] = { ...schema, ...(description === '' ? {} : { description }) };
      if (!(symbol.flags & ts.SymbolFlags.Optional)) required.push(symbol.name);
    }
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String);
    const kind = properties['type']?.['const'];
    return {
      // an event is named by its type
      ...(typeof kind === 'string' ? { title: kind } : {}),
      type: 'object',
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
      ...(required.length === 0 ? {} : { required }),
      ...(index ? { additionalProperties: this.#schema(index.type) } : {}),
    };
  }
}

/** True for a text or one of some texts, a number, a flag. */
function isWord(type: ts.Type): boolean {
  const words = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike;
  if (!type.isUnion()) return (type.flags & words) !== 0;
  return type.types.every((member) => (member.flags & words) !== 0);
}

function textOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ').trim();
}
