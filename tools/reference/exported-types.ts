// Types that an entry of the package mentions without exporting them. All types of a function or class must be in its
// entry; a type may mention those of other entries too.
import { join } from 'node:path';
import ts from 'typescript';

type Entry = { file: string; exports: Map<ts.Symbol, string> };

/** `<entry>: <type> (<the export that mentions it>)`, sorted. */
export function unexportedTypes(program: ts.Program, root: string, files: readonly string[]): string[] {
  const checker = program.getTypeChecker();
  const entries = files.map((file) => readEntry(program, root, file));
  const anywhere = new Set(entries.flatMap(({ exports }) => [...exports.keys()]));
  const missing = new Set<string>();
  for (const { file, exports } of entries) {
    for (const [symbol, name] of exports) {
      const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
      const look = (type: ts.Symbol | undefined): void => {
        const isThere = type && (isValue ? exports.has(type) : anywhere.has(type));
        if (type && !isThere && isOwnType(type, root)) missing.add(`${file}: ${type.name} (${name})`);
      };
      for (const declaration of symbol.declarations ?? []) {
        if (isStated(declaration)) {
          const fields = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol));
          for (const field of fields) namesIn(checker.getTypeOfSymbol(field), checker).forEach(look);
          continue;
        }
        visitTypes(declaration, (node) => {
          const found = checker.getSymbolAtLocation(node);
          look(found && original(found, checker));
        });
        const isInferred = ts.isVariableDeclaration(declaration) && !declaration.type;
        if (isInferred || ts.isBindingElement(declaration)) {
          namesIn(checker.getTypeAtLocation(declaration), checker).forEach(look);
        }
      }
    }
  }
  return [...missing].toSorted();
}

/** Names in an inferred type: its own, or those of its arguments. */
function namesIn(type: ts.Type, checker: ts.TypeChecker): ts.Symbol[] {
  const isReference = (type.flags & ts.TypeFlags.Object) !== 0 && 'target' in type;
  const inner =
    type.aliasTypeArguments ?? (isReference ? checker.getTypeArguments(type as ts.TypeReference) : []);
  return [
    ...(type.aliasSymbol ? [type.aliasSymbol] : []),
    ...inner.filter((one) => one !== type).flatMap((one) => namesIn(one, checker)),
  ];
}

function readEntry(program: ts.Program, root: string, file: string): Entry {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(join(root, file));
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} is no module of the program: expected an entry of the package`);
  const symbols = checker.getExportsOfModule(module);
  return { file, exports: new Map(symbols.map((symbol) => [original(symbol, checker), symbol.name])) };
}

function original(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The type of a schema or a table: its fields are what a user meets. */
function isStated(node: ts.Declaration): boolean {
  return ts.isTypeAliasDeclaration(node) && /Output<typeof |in keyof Session/.test(node.type.getText());
}

/** True for a named type of the sources, except a type parameter. */
function isOwnType(symbol: ts.Symbol, root: string): boolean {
  const kinds = ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface | ts.SymbolFlags.Class;
  const file = symbol.declarations?.[0]?.getSourceFile().fileName;
  return (symbol.flags & kinds) !== 0 && file !== undefined && isOwnFile(file, root);
}

/** True for a file of the sources or of a package. */
export function isOwnFile(file: string, root: string): boolean {
  return ['src/', 'packages/'].some((folder) => file.startsWith(join(root, folder)));
}

/** Every type name in the visible part of a declaration: without bodies, private members, and internal parts. */
function visitTypes(node: ts.Node, found: (name: ts.Node) => void): void {
  if (ts.isBlock(node) || isHidden(node)) return;
  if (ts.isTypeReferenceNode(node)) found(node.typeName);
  if (ts.isExpressionWithTypeArguments(node)) found(node.expression);
  // only the type of a value is visible
  else if (ts.isExpression(node) && !ts.isIdentifier(node)) return;
  ts.forEachChild(node, (child) => visitTypes(child, found));
}

function isHidden(node: ts.Node): boolean {
  if (ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal')) return true;
  if (!ts.isClassElement(node)) return false;
  const flags = ts.getCombinedModifierFlags(node);
  const isOpen = (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) === 0;
  return !isOpen || (node.name !== undefined && ts.isPrivateIdentifier(node.name));
}
