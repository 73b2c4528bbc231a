export const documentAddress = (token: string): string => `/signing-documents?token=${encodeURIComponent(token)}`;
