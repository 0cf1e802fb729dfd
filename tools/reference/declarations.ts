// Declarations as the compiler writes them for users, without comments, bodies, private members and internal parts. A type
// that is computed from a value or a schema has its fields, and so has a part of a type that only its owner names.
import ts from 'typescript';

/** The compiler options with which a program writes such declarations. */
export const declarationOptions: ts.CompilerOptions = {
  noEmit: false,
  declaration: true,
  emitDeclarationOnly: true,
  removeComments: true,
  stripInternal: true,
};

type Written = { file: ts.SourceFile; statements: ts.Statement[] };

const printer = ts.createPrinter();
/** Of nodes that the compiler made, which have no text of their own. */
const noFile = ts.createSourceFile('none.ts', '', ts.ScriptTarget.ESNext);

/** The declarations of one program, which needs `declarationOptions`. A type that is not exported is a part of its owner. */
export class Declarations {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  readonly #exported: ReadonlySet<ts.Symbol>;
  readonly #files = new Map<ts.SourceFile, ts.SourceFile>();
  /** Names of exported types by their fields: a type made by a schema does not know the names of its parts. */
  readonly #names: ReadonlyMap<string, string>;

  constructor(program: ts.Program, exported: ReadonlySet<ts.Symbol>) {
    this.#program = program;
    this.#checker = program.getTypeChecker();
    this.#exported = exported;
    const computed = [...exported].filter((symbol) => symbol.declarations?.some(isComputed));
    this.#names = new Map(computed.map((symbol) => [textOf(this.#fieldsOf(symbol)), symbol.name]));
  }

  /** Source text of all declarations of a symbol, e.g. of each overload. */
  textOf(symbol: ts.Symbol): string {
    const { file, statements } = this.#written(symbol);
    const nodes = statements.map((statement) => {
      if (ts.isVariableStatement(statement)) return change(statement, sortWords);
      if (!ts.isTypeAliasDeclaration(statement)) return statement;
      const { modifiers, name, typeParameters } = statement;
      const type = this.#typeOf(symbol, statement);
      return ts.factory.updateTypeAliasDeclaration(statement, modifiers, name, typeParameters, type);
    });
    return nodes.map((node) => textOf(change(node, shown), file)).join('\n');
  }

  #written(symbol: ts.Symbol): Written {
    const source = symbol.declarations?.[0]?.getSourceFile();
    const file = source && this.#emit(source);
    const statements = file?.statements.flatMap((statement) => declaring(statement, symbol.name)) ?? [];
    if (!file || statements.length === 0) throw new Error(`No declaration of ${symbol.name}: expected one`);
    return { file, statements };
  }

  #emit(source: ts.SourceFile): ts.SourceFile {
    const known = this.#files.get(source);
    if (known) return known;
    let text = '';
    const keep = (_path: string, written: string): void => {
      text = written;
    };
    this.#program.emit(source, keep, undefined, true);
    const file = ts.createSourceFile(source.fileName, text, ts.ScriptTarget.ESNext);
    this.#files.set(source, file);
    return file;
  }

  #typeOf(symbol: ts.Symbol, alias: ts.TypeAliasDeclaration): ts.TypeNode {
    const original = symbol.declarations?.find(ts.isTypeAliasDeclaration);
    if (!original) return alias.type;
    if (!isComputed(original)) return this.#withParts(alias.type, original.type);
    return change(this.#fieldsOf(symbol), (node) => {
      const name = ts.isTypeLiteralNode(node) ? this.#names.get(textOf(node)) : undefined;
      return name === undefined ? node : ts.factory.createTypeReferenceNode(name);
    });
  }

  #fieldsOf(symbol: ts.Symbol): ts.TypeNode {
    const { NoTruncation, InTypeAlias, AllowEmptyTuple, UseAliasDefinedOutsideCurrentScope } =
      ts.NodeBuilderFlags;
    const type = this.#checker.typeToTypeNode(
      this.#checker.getDeclaredTypeOfSymbol(symbol),
      undefined,
      NoTruncation | InTypeAlias | AllowEmptyTuple | UseAliasDefinedOutsideCurrentScope,
    );
    if (!type) throw new Error(`The compiler prints no type ${symbol.name}: expected its fields`);
    const isMapped = symbol.declarations?.some(
      (one) => ts.isTypeAliasDeclaration(one) && ts.isMappedTypeNode(one.type),
    );
    return change(isMapped ? sortFields(type) : type, sortWords);
  }

  /** Parts of an intersection or a union in place of their names. Only the original's names lead to their declarations. */
  #withParts(type: ts.TypeNode, original: ts.TypeNode): ts.TypeNode {
    if (ts.isIntersectionTypeNode(type) && ts.isIntersectionTypeNode(original)) {
      return ts.factory.createIntersectionTypeNode(this.#members(type, original));
    }
    if (ts.isUnionTypeNode(type) && ts.isUnionTypeNode(original)) {
      return ts.factory.createUnionTypeNode(this.#members(type, original));
    }
    return type;
  }

  #members(type: ts.UnionOrIntersectionTypeNode, original: ts.UnionOrIntersectionTypeNode): ts.TypeNode[] {
    return type.types.map((member, index) => {
      const named = original.types[index];
      if (!named || !ts.isTypeReferenceNode(named) || named.typeArguments) return member;
      const symbol = this.#original(named.typeName);
      if (!symbol?.declarations?.some(isOwnAlias) || this.#exported.has(symbol)) return member;
      const { statements } = this.#written(symbol);
      const alias = statements.find(ts.isTypeAliasDeclaration);
      return alias ? ts.factory.createParenthesizedType(this.#typeOf(symbol, alias)) : member;
    });
  }

  #original(name: ts.EntityName): ts.Symbol | undefined {
    const symbol = this.#checker.getSymbolAtLocation(name);
    return symbol && originalOf(symbol, this.#checker);
  }
}

/** The symbol that an import or a re-export leads to. */
export function originalOf(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The parts of a statement that declare this name. */
function declaring(statement: ts.Statement, name: string): ts.Statement[] {
  if (ts.isVariableStatement(statement)) {
    const { declarations, flags } = statement.declarationList;
    const named = declarations.filter((one) => ts.isIdentifier(one.name) && one.name.text === name);
    const list = ts.factory.createVariableDeclarationList(named, flags);
    return named.length === 0
      ? []
      : [ts.factory.updateVariableStatement(statement, statement.modifiers, list)];
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name?.text === name ? [statement] : [];
}

function isComputed(declaration: ts.Declaration): boolean {
  if (!ts.isTypeAliasDeclaration(declaration)) return false;
  return ts.isMappedTypeNode(declaration.type) || /\btypeof \w/.test(declaration.type.getText());
}

function isOwnAlias(declaration: ts.Declaration): boolean {
  return ts.isTypeAliasDeclaration(declaration) && !declaration.getSourceFile().isDeclarationFile;
}

function textOf(node: ts.Node, file = noFile): string {
  return printer.printNode(ts.EmitHint.Unspecified, node, file);
}

/** The same node with `edit` of each node in it, the outermost first. A node without an edit is left out. */
function change<Node extends ts.Node>(root: Node, edit: (node: ts.Node) => ts.Node | undefined): Node {
  const { transformed } = ts.transform(root, [
    (context) => {
      const visit = (node: ts.Node): ts.Node | undefined => {
        const edited = edit(node);
        return edited && ts.visitEachChild(edited, visit, context);
      };
      return (node) => ts.visitEachChild(node, visit, context);
    },
  ]);
  return transformed[0] ?? root;
}

/** Without private members; a type of another module by its name alone. */
function shown(node: ts.Node): ts.Node | undefined {
  if (ts.isClassElement(node) && isPrivate(node)) return undefined;
  if (!ts.isImportTypeNode(node) || !node.qualifier) return node;
  return ts.factory.createTypeReferenceNode(node.qualifier, node.typeArguments);
}

/** A union of words in the order of the alphabet: the compiler's order changes with the rest of the program. */
function sortWords(node: ts.Node): ts.Node {
  if (!ts.isUnionTypeNode(node) || !node.types.every(ts.isLiteralTypeNode)) return node;
  return ts.factory.createUnionTypeNode(node.types.toSorted(byText));
}

/** For the same reason. */
function sortFields(type: ts.TypeNode): ts.TypeNode {
  return ts.isTypeLiteralNode(type) ? ts.factory.createTypeLiteralNode(type.members.toSorted(byText)) : type;
}

function byText(left: ts.Node, right: ts.Node): number {
  return textOf(left) < textOf(right) ? -1 : 1;
}

function isPrivate(member: ts.ClassElement): boolean {
  if (member.name && ts.isPrivateIdentifier(member.name)) return true;
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : [];
  const { PrivateKeyword, ProtectedKeyword } = ts.SyntaxKind;
  return modifiers.some(({ kind }) => kind === PrivateKeyword || kind === ProtectedKeyword);
}
