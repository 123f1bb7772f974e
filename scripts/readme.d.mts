export function packagedReadme(text: string): string;
