// The parts of the library that are used. Loading the package itself would include all of it.
export { startAuthentication, startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser';
