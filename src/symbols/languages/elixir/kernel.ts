/** Words that join what stands on either side, or go on with a block. */
export const operatorWords: ReadonlySet<string> = new Set(
  'and or in not when after else rescue catch end'.split(' '),
);

/** What every module has from Kernel: no use of anything of ours. */
export const kernel: ReadonlySet<string> = new Set(
  (
    'abs alias alias! and apply assert binary_part binding bit_size bitstring byte_size case ceil cond def defdelegate defexception defguard ' +
    'defguardp defimpl defmacro defmacrop defmodule defoverridable defp defprotocol defstruct destructure dbg div do elem else end exit fn ' +
    'floor for function_exported? get_and_update_in get_in hd if import in inspect integer is_atom is_binary is_bitstring is_boolean ' +
    'is_exception is_float is_function is_integer is_list is_map is_map_key is_nil is_number is_pid is_port is_reference is_struct is_tuple ' +
    'length macro_exported? make_ref map_size match? max min node not or pop_in put_elem put_in quote raise receive rem require reraise round ' +
    'self send sigil_r spawn spawn_link spawn_monitor struct struct! super tap then throw tl to_charlist to_string trunc try tuple_size ' +
    'unless unquote unquote_splicing update_in use when with refute binary atom any term list map keyword boolean pid non_neg_integer ' +
    'pos_integer float number no_return timeout module mfa iodata iolist charlist node fun reference port tuple none neg_integer bytes size ' +
    'utf8 unit var! __MODULE__ __ENV__ __CALLER__ nonempty_list'
  ).split(' '),
);
