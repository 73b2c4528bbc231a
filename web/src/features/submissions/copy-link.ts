/** Puts an address into the clipboard; browsers refuse it to pages that come without TLS from another machine. */
export async function copyLink(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
  } catch (error) {
    if (error instanceof DOMException || error instanceof TypeError)
      throw new Error(`Your browser does not let this page copy. The link is ${address}`);
    throw error;
  }
}
