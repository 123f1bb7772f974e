/** Root of the project: the long run is a bundle in another folder and is started in the project's folder, as are the tests. */
export const projectRoot = process.cwd();
