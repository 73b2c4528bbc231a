/** What a signer's link opens; with what they got for their code, where one is asked for. */
export interface Visit {
  token: string;
  proof: string;
}

export const documentAddress = ({ token, proof }: Visit): string =>
  `/signing-documents?${new URLSearchParams(proof ? { token, proof } : { token }).toString()}`;
