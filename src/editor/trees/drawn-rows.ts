/** Rows as a tree last drew them. VS Code recognises a row by its object, so a row keeps its object while its content changes. */
export class DrawnRows<Node extends object> {
  private readonly rows = new Map<string, { readonly node: Node; look: string }>();

  /** Returns the object of a row that VS Code is now drawing. `look` is everything that the row shows. */
  draw(id: string, content: Node, look: string): Node {
    const node = Object.assign(this.rows.get(id)?.node ?? content, content);
    this.rows.set(id, { node, look });
    return node;
  }

  has(id: string): boolean {
    return this.rows.has(id);
  }

  /**
   * Puts new content into a row that was drawn. Returns the row only if it now looks different, since drawing it again removes the button under the
   * pointer.
   */
  update(id: string, content: Node, look: () => string): Node | undefined {
    const row = this.rows.get(id);
    if (!row) return undefined;
    Object.assign(row.node, content);
    const now = look();
    if (row.look === now) return undefined;
    row.look = now;
    return row.node;
  }
}
