; What JavaScript, TypeScript and TSX have in common.

; Modules
(import_statement source: (string (string_fragment) @import.module))
(import_statement (import_clause (identifier) @import.local) source: (string (string_fragment) @import.module) (#set! import.name "default"))
(import_statement (import_clause (namespace_import (identifier) @import.local)) source: (string (string_fragment) @import.module))
(import_statement (import_clause (named_imports (import_specifier name: (_) @import.name alias: (identifier)? @import.local))) source: (string (string_fragment) @import.module))
(export_statement !declaration "*" source: (string (string_fragment) @import.module) (#set! import.reexport "yes"))
(export_statement (namespace_export (_) @import.local) source: (string (string_fragment) @import.module) (#set! import.reexport "yes"))
(export_statement (export_clause (export_specifier name: (_) @import.name alias: (_) @import.local)) source: (string (string_fragment) @import.module) (#set! import.reexport "yes"))
(export_statement (export_clause (export_specifier name: (_) @import.name !alias)) source: (string (string_fragment) @import.module) (#set! import.reexport "yes"))
(export_statement !source (export_clause (export_specifier name: (identifier) @export)))
(export_statement !source (export_clause (export_specifier alias: (_)) @import))
(export_statement value: (identifier) @export)
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @import.module)))

; CommonJS
(variable_declarator name: (identifier) @import.local value: (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import.module))) (#eq? @_require "require"))
(variable_declarator name: (identifier) @import.local value: (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import.module))) property: (property_identifier) @import.name) (#eq? @_require "require"))
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @import.name) value: (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import.module))) (#eq? @_require "require"))
(variable_declarator name: (object_pattern (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.local)) value: (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import.module))) (#eq? @_require "require"))
(call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import.module)) (#eq? @_require "require"))
(assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports) right: (identifier) @export (#eq? @_module "module") (#eq? @_exports "exports"))
(assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports) right: (object [(shorthand_property_identifier) @export (pair value: (identifier) @export)]) (#eq? @_module "module") (#eq? @_exports "exports"))
(assignment_expression left: (member_expression object: (identifier) @_exports) right: (identifier) @export (#eq? @_exports "exports"))
(assignment_expression left: (member_expression object: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)) right: (identifier) @export (#eq? @_module "module") (#eq? @_exports "exports"))
(variable_declarator name: (identifier) @export value: (assignment_expression left: [(identifier) (member_expression)] @_left) (#match? @_left "^(?:module\\.)?exports$"))

; Definitions
(arguments (function_expression name: (identifier) @name) @definition.function)
(return_statement (function_expression name: (identifier) @name) @definition.function)
(class name: (_) @name) @definition.class
(assignment_expression left: (member_expression object: (identifier) @owner property: (property_identifier) @name) right: (class)) @definition.class
(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(class_body (method_definition name: (property_identifier) @name (#eq? @name "constructor")) @definition.constructor)
(lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @definition.function)
(variable_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @definition.function)
(variable_declarator name: (identifier) @name value: (class)) @definition.class
(lexical_declaration "const" (variable_declarator name: (identifier) @name value: (new_expression constructor: (identifier) @type)) @definition.constant)
(variable_declarator name: [(object_pattern [(shorthand_property_identifier_pattern) @name @definition.constant (pair_pattern value: (identifier) @name @definition.constant) (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name @definition.constant)]) (array_pattern (identifier) @name @definition.constant)])
(export_statement value: (object (method_definition name: (_) @name) @definition.method))
(export_statement value: (object (pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @definition.method))
(export_statement value: (call_expression arguments: (arguments (object (method_definition name: (_) @name) @definition.method))))
(variable_declarator value: (object (method_definition name: (_) @name) @definition.method))
(variable_declarator value: (object (pair key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)]) @definition.method))
(variable_declarator value: (object (pair key: [(property_identifier) (string)] @name) @definition.property))
(export_statement value: (object (pair key: [(property_identifier) (string)] @name) @definition.property))
(assignment_expression left: (member_expression object: (identifier) @_exports property: (property_identifier) @name) right: [(arrow_function) (function_expression) (generator_function)] (#eq? @_exports "exports")) @definition.function
(assignment_expression left: (member_expression object: (member_expression object: (identifier) @_module property: (property_identifier) @_exports) property: (property_identifier) @name) right: [(arrow_function) (function_expression) (generator_function)] (#eq? @_module "module") (#eq? @_exports "exports")) @definition.function
(assignment_expression left: (member_expression object: (member_expression object: (identifier) @owner property: (property_identifier) @_prototype) property: (property_identifier) @name) right: [(arrow_function) (function_expression) (generator_function) (identifier) (member_expression) (subscript_expression) (assignment_expression)] (#eq? @_prototype "prototype")) @definition.method
(assignment_expression left: (member_expression object: (member_expression object: (identifier) @owner property: (property_identifier) @_prototype) property: (property_identifier) @name) right: [(number) (string) (true) (false) (null) (undefined) (object) (array)] (#eq? @_prototype "prototype")) @definition.property
(pair key: (property_identifier) @_how value: (function_expression name: (identifier) @name) @definition.method (#any-of? @_how "value" "get" "set"))
(assignment_expression left: (member_expression object: (identifier) @owner property: (property_identifier) @name) right: [(arrow_function) (function_expression) (generator_function)]) @definition.method

; Uses
(decorator (identifier) @reference.annotation)
(decorator (member_expression object: (_) @receiver property: (property_identifier) @reference.annotation))
(decorator (call_expression function: (identifier) @reference.annotation))
(decorator (call_expression function: (member_expression object: (_) @receiver property: (property_identifier) @reference.annotation)))
(new_expression constructor: (identifier) @reference.new)
(new_expression constructor: (member_expression object: (_) @receiver property: (property_identifier) @reference.new))
(call_expression function: (identifier) @reference.call)
(call_expression function: (member_expression object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @reference.member-call))

; What binds names
[(function_declaration) (generator_function_declaration) (function_expression) (generator_function) (arrow_function) (method_definition) (class_static_block)] @scope
[(for_statement) (for_in_statement) (catch_clause) (finally_clause) (do_statement) (switch_body)] @scope
(if_statement consequence: (statement_block) @scope)
(else_clause (statement_block) @scope)
(try_statement body: (statement_block) @scope)
(while_statement body: (statement_block) @scope)
(statement_block (statement_block) @scope)
(variable_declarator name: (identifier) @local value: (new_expression constructor: (identifier) @type))
(variable_declarator name: (identifier) @local)
(arrow_function parameter: (identifier) @local)
(function_expression name: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement left: (identifier) @local)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(rest_pattern (identifier) @local)
(assignment_pattern left: (identifier) @local)
