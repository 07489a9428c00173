/** /admin/login (specification §2). */
export function LoginPage() {
  return <h1>Admin Portal</h1>;
}
