declare module 'virtual:validator/*' {
  import type { Validate } from './lib/validation.ts';
  const validate: Validate;
  export default validate;
}
