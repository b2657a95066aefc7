import type { Hex } from 'viem';

/** Receives the fees of conversions. */
export const FEE_VAULT: Hex = '0x7f67327E88c258932D7d8f72950bE0d46975E11D';
