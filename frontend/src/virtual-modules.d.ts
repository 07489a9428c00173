declare module 'virtual:validator/*' {
  import type { Validate } from './form/validation.ts';
  const validate: Validate;
  export default validate;
}
