/**
 * Reloads modules of the program with a change in them, while the tests that use them stay: only then does what a module computes while it loads
 * (tables, patterns) reflect the change. Modules see each other, and tests see them, through objects with a getter for each export; the getters are
 * redirected to the reloaded modules, and back.
 */
export class Loading {
  #runner;
  #modules;
  /** The file that each change is in. */
  #files = new Map();
  #replaced = [];

  /** @param runner vite's module runner, which has loaded all files */
  constructor(runner) {
    this.#runner = runner;
    this.#modules = runner.evaluatedModules;
    for (const { file, meta } of this.#modules.idToModuleMap.values())
      for (const [, change] of meta?.code?.matchAll(/\bstryMutAct_\w+\("(\d+)"\)/g) ?? [])
        this.#files.set(change, file);
  }

  fileOf(change) {
    return this.#files.get(change);
  }

  /** Loads the file of the change and every module of the program that depends on it. Passes on whatever that throws. */
  async reload(change) {
    for (const node of this.#builtOn(this.#files.get(change))) {
      const { exports, promise } = node;
      this.#replaced.push({ node, exports, promise, getters: Object.getOwnPropertyDescriptors(exports) });
      Object.assign(node, { exports: undefined, promise: undefined, evaluated: false });
    }
    for (const { node } of this.#replaced) await this.#runner.import(node.url);
    for (const { node, exports } of this.#replaced) {
      const anew = node.exports;
      for (const name of Object.keys(anew))
        Object.defineProperty(exports, name, { enumerable: true, configurable: true, get: () => anew[name] });
    }
  }

  /** Restores all modules. */
  restore() {
    for (const { node, exports, promise, getters } of this.#replaced.splice(0)) {
      for (const name of Object.keys(getters)) Object.defineProperty(exports, name, getters[name]);
      Object.assign(node, { exports, promise, evaluated: true });
    }
  }

  #builtOn(file) {
    const nodes = new Set(this.#modules.fileToModulesMap.get(file));
    // A set also yields what is added to it during the iteration.
    for (const node of nodes)
      for (const id of node.importers) {
        const importer = this.#modules.getModuleById(id);
        if (importer?.file.includes('/src/')) nodes.add(importer);
      }
    return nodes;
  }
}
