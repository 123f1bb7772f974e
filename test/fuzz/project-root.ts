/** The long run is a bundle that lies elsewhere, and is started in the folder of the project; so are the tests. */
export const projectRoot = process.cwd();
