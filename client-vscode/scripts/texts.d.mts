type Texts = Record<string, string | { message: string; comment: string[] }>;

export const BUNDLE: string;
export function collected(): Promise<Texts>;
