// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// The least that a smart wallet is: it does what its owner says, and says what its owner signed.
contract Wallet is IERC1271 {
    address private immutable owner;

    constructor(address by) {
        owner = by;
    }

    function execute(address target, bytes calldata data) external {
        require(msg.sender == owner, "not the owner");
        (bool done, ) = target.call(data);
        require(done, "the call failed");
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        require(ECDSA.recover(hash, signature) == owner, "not signed by the owner");
        return IERC1271.isValidSignature.selector;
    }
}
