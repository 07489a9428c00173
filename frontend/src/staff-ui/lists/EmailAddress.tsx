/** An email address that wraps after its `@` rather than within a name. */
export function EmailAddress({ text }: { readonly text: string }) {
  const host = text.lastIndexOf('@') + 1;
  return (
    <>
      {text.slice(0, host)}
      <wbr />
      {text.slice(host)}
    </>
  );
}
