// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A stablecoin of the tests and of the development chain: anybody may mint.
contract Stablecoin is ERC20 {
    constructor() ERC20("Test Dollar", "TUSD") {}

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// Two transfers in one transaction.
    function transferTwice(address first, uint256 amount, address second, uint256 rest) external {
        _transfer(msg.sender, first, amount);
        _transfer(msg.sender, second, rest);
    }

    /// What was paid comes back in the same transaction.
    function transferAndTakeBack(address to, uint256 amount, uint256 back) external {
        _transfer(msg.sender, to, amount);
        _transfer(to, msg.sender, back);
    }
}
